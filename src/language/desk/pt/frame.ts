import type { frame as english } from "../en/frame.ts";
import type { TextsOf } from "../texts.ts";

/** What stands around every page of the desk. */
export const frame: TextsOf<typeof english> = {
  desk: "Painel",
  skipToContent: "Ir para o conteúdo",
  navHome: "Início",
  navInvoices: "Faturas",
  navLinks: "Links",
  navCounter: "Caixa",
  navMoney: "Dinheiro",
  navCustomers: "Clientes",
  navSettings: "Configurações",
  navMore: "Mais",
  openCount: "Em aberto: {count}",
  search: "Buscar",
  signOut: "Sair",
  roleOwner: "Proprietário",
  roleStaff: "Equipe",
  roleAccountant: "Contabilidade",
  development: "Desenvolvimento: só dinheiro de teste",

  watchCurrent: "{network}: tudo em dia",
  watchLate: "Os pagamentos aparecem com atraso",
  watchStarting: "Iniciando",

  refused: "Não permitido",
  refusedRole: "Sua função não permite isso. Fale com um proprietário.",
  refusedForeign: "Este formulário não foi enviado deste painel. Nada foi alterado.",
  refusedStale:
    "Esta página ficou aberta por tempo demais. Nada foi alterado: volte, atualize a página e tente de novo.",
  backToHome: "Voltar ao início",
  deskNotFound: "Não encontrado",
  deskNotFoundText: "Esta página não existe. Talvez o link esteja errado.",

  undo: "Desfazer",
  optional: "(opcional)",
  faultsOne: "Há um item a corrigir",
  faultsMany: "Itens a corrigir: {count}",
  copyIt: "Copiar",
  isCopied: "Copiado",
  isNotCopied: "Não copiado",
  nextPage: "Próxima",
  pages: "Páginas",
  today: "Hoje",
  yesterday: "Ontem",
  todayAt: "Hoje, {time}",
  yesterdayAt: "Ontem, {time}",
};
