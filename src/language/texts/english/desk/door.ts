/** Signing in, and confirming one's identity again. */
export const door = {
  signIn: "Sign in",
  signInTo: "Sign in to {shop}",
  signInText: "Invoices and payments, paid to you in USDC.",
  signInByPasskey: "Sign in with a passkey",
  signInByPasskeyText:
    "Your device asks for your fingerprint, face or PIN. There is no password that could be stolen.",
  signInByPasswordInstead: "Use a password instead",
  signInByPasskeyInstead: "Use a passkey instead",
  signInBy: "Sign in with {name}",
  signInWrong: "The name or the password is wrong.",
  signInRefused: "This passkey is not valid here, or time ran out. Try again.",
  openIdFailed: "{name} did not answer as it should. Try again in a minute, or sign in another way.",
  openIdStale: "You were not signed in: it took too long, or was not finished. Try again.",
  openIdNoRole:
    "Your account at {name} has no role at this desk. Ask the person who runs it to add you to a group that has one.",
  openIdRemoved: "You were removed from this desk. An owner can let you back in, under Settings, People.",
  tooManyTries: "Too many attempts. Wait a minute, then try again.",
  cannotSignIn: "I cannot sign in",
  loginCommandText:
    "Ask the person who runs this Till to type this on its machine. It prints a link that works once, for 5 minutes.",
  nobodyYet: "Nobody can sign in yet",
  nobodyYetText: "The first person gets in with a one-time link.",
  didSignOut: "You are signed out.",
  didEnter: "Welcome. You are signed in.",

  yourName: "Your name",
  yourNameHint: "Shown next to what you do. Only your team sees it.",
  nameWanted: "Enter your name, up to 60 characters.",
  nameTaken: "Somebody at this desk already has this name. Add something to tell you apart.",
  password: "Password",
  newPassword: "New password",
  passwordHint: "At least {count} characters. A few words are easy to remember and hard to guess.",
  passwordTooShort: "Use 12 to 200 characters.",
  setPasswordAndEnter: "Set the password and sign in",

  firstOwner: "Make this desk yours",
  firstOwnerText: "You opened the one-time link of the owner. Choose how you sign in from now on.",
  invitedTo: "You are invited to {shop}",
  guestOwner: "As an owner you can do everything, including moving money and letting others in.",
  guestStaff: "As staff you create invoices and links, send them, and see what is paid.",
  guestAccountant:
    "As an accountant you see everything that was billed and paid, can export it, and close months.",
  welcomeBack: "Welcome back, {name}",
  welcomeBackText:
    "You opened a one-time link. Choose how you sign in from now on, so that you can get back in without one.",
  makePasskey: "Create a passkey",
  makePasskeyText:
    "Your device keeps it behind your fingerprint, face or PIN. It cannot be typed into a fake page.",
  passkeyRefused: "This passkey could not be saved. Try again.",
  passkeyInstead: "Create a passkey instead",
  passwordInstead: "Use a password instead",
  enterOnce: "Sign in without a new one",
  passkeysImpossible:
    "Passkeys need an https address with a host name. If Till has one, they are the safer way.",
  linkGone: "This link no longer works",
  linkGoneText: "Each link works once, and not for long. Ask whoever gave you this one for another.",

  yourPassword: "Your password",
  yourPasswordHint: "Asked again, so that nobody else can do this on your screen.",
  proofPasskey: "Your passkey was not confirmed in time. Try again.",
  proofPassword: "That is not your password.",
  proofMissing:
    "This asks for your passkey or your password at this desk, and you have neither. Add one first, under [Settings, You].",
  proofStale:
    "So that nobody else adds a way in on your screen, [sign in once more]. You then have 5 minutes to add it.",
  passkeyUnsupported: "Passkeys do not work here. They need a secure connection and an up-to-date browser.",
  passkeyElsewhere: "Passkeys for this desk work only at {host}. Open it there.",
  passkeyNotGiven: "Nothing was confirmed. Try again when you are ready.",
  passkeyNotMade: "No passkey was created. Try again, perhaps on another device.",
  passkeyThere: "This device already has a passkey for you. Add one on another device.",
  passkeyNeedsScript: "A passkey needs JavaScript, which is off in this browser.",
} as const;
