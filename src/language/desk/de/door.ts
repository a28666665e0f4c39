import type { DoorTexts } from "../en/door.ts";

export const door: DoorTexts = {
  signIn: "Anmelden",
  signInTo: "Anmelden bei {shop}",
  signInText: "Rechnungen und Zahlungen, in USDC an Sie.",
  signInByPasskey: "Mit Passkey anmelden",
  signInByPasskeyText:
    "Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN. Es gibt kein Passwort, das gestohlen werden kann.",
  signInByPasswordInstead: "Stattdessen mit Passwort",
  signInByPasskeyInstead: "Stattdessen mit Passkey",
  signInWrong: "Name oder Passwort stimmt nicht.",
  signInRefused: "Dieser Passkey gilt hier nicht oder kam zu spät. Versuchen Sie es noch einmal.",
  tooManyTries: "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
  cannotSignIn: "Ich kann mich nicht anmelden",
  loginCommandText:
    "Bitten Sie die Person, die dieses Till betreibt, auf dessen Rechner diesen Befehl einzugeben. Er erzeugt einen Link, der einmal und 5 Minuten lang gilt.",
  nobodyYet: "Noch kann sich niemand anmelden",
  nobodyYetText: "Die erste Person kommt über einen Einmal-Link herein.",
  didSignOut: "Sie sind abgemeldet.",
  didEnter: "Willkommen. Sie sind angemeldet.",

  yourName: "Ihr Name",
  yourNameHint: "Steht neben dem, was Sie tun. Nur Ihr Team sieht ihn.",
  nameWanted: "Geben Sie Ihren Namen ein, höchstens 60 Zeichen.",
  nameTaken: "Diesen Namen gibt es hier schon. Ergänzen Sie etwas, das Sie unterscheidet.",
  password: "Passwort",
  newPassword: "Neues Passwort",
  passwordHint: "Mindestens {count} Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu erraten.",
  passwordTooShort: "Verwenden Sie 12 bis 200 Zeichen.",
  setPasswordAndEnter: "Passwort festlegen und weiter",

  firstOwner: "Richten Sie Ihren Zugang ein",
  firstOwnerText:
    "Sie haben den Einmal-Link für Inhaber geöffnet. Legen Sie fest, wie Sie sich künftig anmelden.",
  invitedTo: "Einladung zu {shop}",
  guestOwner: "Als Inhaber dürfen Sie alles, auch Geld auszahlen und andere einladen.",
  guestStaff: "Im Team erstellen und senden Sie Rechnungen und Links und sehen, was bezahlt ist.",
  guestAccountant:
    "In der Buchhaltung sehen Sie, was berechnet und bezahlt wurde, und können es exportieren.",
  welcomeBack: "Willkommen zurück, {name}",
  welcomeBackText:
    "Sie haben einen Einmal-Link geöffnet. Legen Sie fest, wie Sie sich künftig anmelden, dann brauchen Sie keinen Link mehr.",
  makePasskey: "Passkey erstellen",
  makePasskeyText:
    "Ihr Gerät bewahrt ihn auf, geschützt durch Fingerabdruck, Gesicht oder PIN. Auf einer falschen Seite kann man ihn nicht eintippen.",
  passkeyRefused: "Dieser Passkey konnte nicht gespeichert werden. Versuchen Sie es noch einmal.",
  passkeyInstead: "Stattdessen Passkey erstellen",
  passwordInstead: "Stattdessen Passwort verwenden",
  enterOnce: "Ohne neuen Passkey weiter",
  passkeysImpossible:
    "Passkeys brauchen eine https-Adresse mit einem Hostnamen. Wenn Till eine hat, sind sie der sicherere Weg.",
  linkGone: "Dieser Link gilt nicht mehr",
  linkGoneText:
    "Jeder Link gilt nur einmal und nicht lange. Bitten Sie die Person um einen neuen, von der Sie diesen haben.",

  yourPassword: "Ihr Passwort",
  yourPasswordHint: "Wir fragen noch einmal, damit das niemand sonst an Ihrem Bildschirm tun kann.",
  proofPasskey: "Ihr Passkey wurde nicht oder zu spät bestätigt. Versuchen Sie es noch einmal.",
  proofPassword: "Das ist nicht Ihr Passwort.",
  passkeyUnsupported:
    "Dieser Browser kann hier keine Passkeys verwenden. Nötig sind eine sichere Verbindung und ein aktueller Browser.",
  passkeyElsewhere: "Die Passkeys gelten hier nur unter {host}. Öffnen Sie die Seite dort.",
  passkeyNotGiven: "Es wurde nichts bestätigt. Versuchen Sie es noch einmal, wenn Sie so weit sind.",
  passkeyNotMade:
    "Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, vielleicht auf einem anderen Gerät.",
  passkeyThere:
    "Dieses Gerät hat schon einen Passkey von Ihnen. Fügen Sie einen auf einem anderen Gerät hinzu.",
  passkeyNeedsScript: "Ein Passkey braucht JavaScript, das in diesem Browser ausgeschaltet ist.",
};
