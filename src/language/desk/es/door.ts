import type { DoorTexts } from "../en/door.ts";

export const door: DoorTexts = {
  signIn: "Iniciar sesión",
  signInTo: "Iniciar sesión en {shop}",
  signInText: "Facturas y pagos, en USDC para usted.",
  signInByPasskey: "Entrar con una llave de acceso",
  signInByPasskeyText:
    "Su dispositivo le pide la huella, el rostro o el PIN. No hay contraseña que se pueda robar.",
  signInByPasswordInstead: "Usar una contraseña",
  signInByPasskeyInstead: "Usar una llave de acceso",
  signInWrong: "El nombre o la contraseña no son correctos.",
  signInRefused: "Esta llave de acceso no es válida aquí o llegó demasiado tarde. Inténtelo de nuevo.",
  tooManyTries: "Demasiados intentos. Espere un minuto e inténtelo de nuevo.",
  cannotSignIn: "No puedo iniciar sesión",
  loginCommandText:
    "Pida a quien administra este Till que ejecute este comando en su equipo. Muestra un enlace que sirve una vez, durante 5 minutos.",
  nobodyYet: "Todavía nadie puede iniciar sesión",
  nobodyYetText: "La primera persona entra con un enlace de un solo uso.",
  didSignOut: "Ha cerrado la sesión.",
  didEnter: "Hola. Ha iniciado sesión.",

  yourName: "Su nombre",
  yourNameHint: "Aparece junto a lo que usted hace y solo lo ve su equipo.",
  nameWanted: "Escriba su nombre, de 60 caracteres como máximo.",
  nameTaken: "Aquí ya hay alguien con este nombre. Añada algo que lo distinga.",
  password: "Contraseña",
  newPassword: "Contraseña nueva",
  passwordHint:
    "Al menos {count} caracteres. Unas cuantas palabras son fáciles de recordar y difíciles de adivinar.",
  passwordTooShort: "Use entre 12 y 200 caracteres.",
  setPasswordAndEnter: "Definir la contraseña y entrar",

  firstOwner: "Cree su acceso",
  firstOwnerText:
    "Ha abierto el enlace de un solo uso del propietario. Elija cómo entrará a partir de ahora.",
  invitedTo: "Invitación a {shop}",
  guestOwner: "Como propietario puede hacerlo todo, también mover dinero e invitar a otros.",
  guestStaff: "Como personal crea y envía facturas y enlaces, y ve lo que está pagado.",
  guestAccountant: "En contabilidad ve todo lo facturado y pagado, y puede exportarlo.",
  welcomeBack: "Hola de nuevo, {name}",
  welcomeBackText:
    "Ha abierto un enlace de un solo uso. Elija cómo entrará a partir de ahora para poder volver sin enlace.",
  makePasskey: "Crear una llave de acceso",
  makePasskeyText:
    "Su dispositivo la guarda, protegida por la huella, el rostro o el PIN. No se puede escribir en una página falsa.",
  passkeyRefused: "No se pudo guardar esta llave de acceso. Inténtelo de nuevo.",
  passkeyInstead: "Crear una llave de acceso",
  passwordInstead: "Usar una contraseña",
  enterOnce: "Entrar sin una nueva",
  passkeysImpossible:
    "Las llaves de acceso necesitan una dirección https con un nombre de dominio. Si Till la tiene, son la opción más segura.",
  linkGone: "Este enlace ya no es válido",
  linkGoneText: "Cada enlace sirve una sola vez y por poco tiempo. Pida otro a quien le dio este.",

  yourPassword: "Su contraseña",
  yourPasswordHint: "Se pide otra vez para que nadie más pueda hacerlo en su pantalla.",
  proofPasskey: "Su llave de acceso no se confirmó o llegó tarde. Inténtelo de nuevo.",
  proofPassword: "Esa no es su contraseña.",
  passkeyUnsupported:
    "Este navegador no admite llaves de acceso aquí. Hacen falta una conexión segura y un navegador actual.",
  passkeyElsewhere: "Las llaves de acceso de este panel solo funcionan en {host}. Ábralo ahí.",
  passkeyNotGiven: "No se confirmó nada. Inténtelo de nuevo cuando quiera.",
  passkeyNotMade: "No se creó ninguna llave de acceso. Inténtelo de nuevo, quizá en otro dispositivo.",
  passkeyThere: "Este dispositivo ya tiene una llave de acceso suya. Añada otra en otro dispositivo.",
  passkeyNeedsScript: "Una llave de acceso necesita JavaScript, que está desactivado en este navegador.",
};
