import type { DoorTexts } from "../en/door.ts";

export const door: DoorTexts = {
  signIn: "Entrar",
  signInTo: "Entrar em {shop}",
  signInText: "Faturas e pagamentos, em USDC para você.",
  signInByPasskey: "Entrar com uma chave de acesso",
  signInByPasskeyText:
    "Seu dispositivo pede sua digital, seu rosto ou o PIN. Não há senha que possa ser roubada.",
  signInByPasswordInstead: "Usar uma senha",
  signInByPasskeyInstead: "Usar uma chave de acesso",
  signInWrong: "O nome ou a senha está incorreto.",
  signInRefused: "Esta chave de acesso não vale aqui ou chegou tarde demais. Tente de novo.",
  tooManyTries: "Muitas tentativas. Espere um minuto e tente de novo.",
  cannotSignIn: "Não consigo entrar",
  loginCommandText:
    "Peça a quem cuida deste Till para executar este comando na máquina dele. O comando mostra um link que vale uma vez, por 5 minutos.",
  nobodyYet: "Ainda ninguém pode entrar",
  nobodyYetText: "A primeira pessoa entra com um link de uso único.",
  didSignOut: "Você saiu.",
  didEnter: "Boas-vindas. Você entrou.",

  yourName: "Seu nome",
  yourNameHint: "Aparece ao lado do que você faz, só para a sua equipe.",
  nameWanted: "Digite seu nome, com no máximo 60 caracteres.",
  nameTaken: "Já há alguém aqui com este nome. Acrescente algo que diferencie você.",
  password: "Senha",
  newPassword: "Nova senha",
  passwordHint:
    "Pelo menos {count} caracteres. Algumas palavras são fáceis de lembrar e difíceis de adivinhar.",
  passwordTooShort: "Use de 12 a 200 caracteres.",
  setPasswordAndEnter: "Definir a senha e entrar",

  firstOwner: "Crie o seu acesso",
  firstOwnerText:
    "Você abriu o link de uso único do proprietário. Escolha como vai entrar a partir de agora.",
  invitedTo: "Convite para {shop}",
  guestOwner: "Como proprietário, você pode fazer tudo, inclusive mover dinheiro e convidar outras pessoas.",
  guestStaff: "Na equipe, você cria e envia faturas e links e vê o que foi pago.",
  guestAccountant: "Na contabilidade, você vê tudo o que foi faturado e pago e pode exportar.",
  welcomeBack: "Que bom ver você de novo, {name}",
  welcomeBackText:
    "Você abriu um link de uso único. Escolha como vai entrar a partir de agora, para poder voltar sem link.",
  makePasskey: "Criar uma chave de acesso",
  makePasskeyText:
    "Seu dispositivo a guarda, protegida por digital, rosto ou PIN. Ela não pode ser digitada em uma página falsa.",
  passkeyRefused: "Não foi possível guardar esta chave de acesso. Tente de novo.",
  passkeyInstead: "Criar uma chave de acesso",
  passwordInstead: "Usar uma senha",
  enterOnce: "Entrar sem uma nova",
  passkeysImpossible:
    "Chaves de acesso precisam de um endereço https com um nome de domínio. Se o Till tem um, elas são a opção mais segura.",
  linkGone: "Este link não vale mais",
  linkGoneText: "Cada link vale uma única vez e por pouco tempo. Peça outro a quem lhe deu este.",

  yourPassword: "Sua senha",
  yourPasswordHint: "Pedida de novo para que mais ninguém faça isso na sua tela.",
  proofPasskey: "Sua chave de acesso não foi confirmada ou chegou tarde. Tente de novo.",
  proofPassword: "Essa não é a sua senha.",
  passkeyUnsupported:
    "Este navegador não aceita chaves de acesso aqui. É preciso uma conexão segura e um navegador atual.",
  passkeyElsewhere: "As chaves de acesso deste painel só funcionam em {host}. Abra-o lá.",
  passkeyNotGiven: "Nada foi confirmado. Tente de novo quando quiser.",
  passkeyNotMade: "Nenhuma chave de acesso foi criada. Tente de novo, talvez em outro dispositivo.",
  passkeyThere: "Este dispositivo já tem uma chave de acesso sua. Adicione outra em outro dispositivo.",
  passkeyNeedsScript: "Uma chave de acesso precisa de JavaScript, que está desativado neste navegador.",
};
