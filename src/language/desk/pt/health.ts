import type { health as english } from "../en/health.ts";
import type { TextsOf } from "../texts.ts";

/** How Till is, and what can be done about it. */
export const health: TextsOf<typeof english> = {
  healthLine: "O que o Till encontrou e em que ele se apoia.",
  healthGood: "Tudo certo",
  healthGoodText: "O Till acompanha a rede e você não precisa fazer nada.",
  healthSays: "O que o Till informa",
  healthSaysText: "Na íntegra, como em till doctor e no registro.",

  mailServer: "E-mail",
  mailServerText: "Faturas, lembretes e recibos saem pelo seu servidor de e-mail.",
  mailServerIs: "Servidor de e-mail",
  mailSender: "Remetente",
  mailCatcher: "Os e-mails de desenvolvimento são retidos e não são enviados",
  mailTestTo: "Enviar um e-mail de teste para",
  mailTestSend: "Enviar",
  mailTestSubject: "E-mail de teste do Till",
  mailTestBody: "Este e-mail mostra que os e-mails do Till chegam. Enviado do painel de {shop}.",
  mailTestFault: "O servidor de e-mail não aceitou: {reason}",
  mailTestUnknown: "Talvez tenha chegado: {reason}",
  didMailTest: "O servidor de e-mail aceitou o e-mail de teste. Veja se ele chega e se não cai no spam.",

  chainPart: "Blockchain",
  chainPartText: "O Till consulta estes nós, nesta ordem.",
  chainNetwork: "Rede",
  chainNodes: "Nós",
  chainSocket: "Aviso de pagamentos",
  chainSocketNone: "Sem WebSocket: os pagamentos aparecem depois de um quarto de minuto",
  chainBlock: "Último bloco",
  chainBlockNone: "Ainda nenhum",
  chainBehind: "{block}, com atraso há {seconds} s",
  chainUpToDate: "{block}, em dia",

  machinePart: "Este Till",
  machinePartText:
    "Guarde os backups em outra máquina. As palavras de recuperação não são backup das suas faturas.",
  machineVersion: "Versão",
  machineDatabase: "Banco de dados",
  machineMebibytes: "{size}\u00a0MiB",
  machineBackup: "Último backup",
  machineBackupNone: "Nenhum conhecido",
  machineBackupHow: "Faça um com {command}.",
  machineWords: "Palavras de recuperação",
  machineWordsAt: "Anotadas: {when}",
  machineWordsNone: "Não anotadas",
};
