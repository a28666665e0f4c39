/** Home. */
export const home = {
  newLink: "New link",
  newInvoice: "New invoice",
  didSignIn: "You are signed in.",
} as const;
