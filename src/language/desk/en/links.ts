/** Payment links. */
export const links = {
  linkOpen: "Open",
  linkSeen: "On its way",
  linkPartly: "Partially paid",
  linkPaid: "Paid",
  linkOverpaid: "Overpaid",
  linkMarked: "Paid elsewhere",
  linkProblem: "Payment problem",
  linkVoid: "Void",
  linkEnded: "Ended",
} as const;
