/** Getting in, and proving once more who one is. */
export const door = {
  yourPassword: "Your password",
  yourPasswordHint: "Asked once more, so that nobody else can do this at your screen.",
  proofPasskey: "Your passkey was not confirmed, or too late. Try again.",
  proofPassword: "That is not your password.",
  proofBusy: "Too many tries. Wait a minute, then try again.",
  passkeyUnsupported:
    "This browser has no passkeys here. They need a secure connection and a browser of today.",
  passkeyNotGiven: "Nothing was confirmed. Try again when you are ready.",
  passkeyNotMade: "No passkey was made. Try again, perhaps on another device.",
  passkeyNeedsScript: "A passkey needs JavaScript, which is off in this browser.",
} as const;
