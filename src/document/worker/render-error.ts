export type RenderFailure =
  /** The document itself could not be written: trying again is of no use. */
  | { reason: "failed"; detail: string }
  | { reason: "crashed"; detail: string }
  | { reason: "timed out"; limitMs: number }
  | { reason: "busy"; waiting: number }
  | { reason: "stopped" };

function sentence(failure: RenderFailure): string {
  switch (failure.reason) {
    case "failed":
      return `The PDF could not be written: ${failure.detail}`;
    case "crashed":
      return `The PDF worker stopped while it wrote this document: ${failure.detail}`;
    case "timed out":
      return `The PDF was not ready within ${failure.limitMs} ms`;
    case "busy":
      return `${failure.waiting} PDFs are waiting to be written already`;
    case "stopped":
      return "The PDF renderer has been stopped";
  }
}

/** Why there is no PDF. `failure.reason` tells a fault of the document from one of the moment. */
export class RenderError extends Error {
  override readonly name = "RenderError";
  readonly failure: RenderFailure;

  constructor(failure: RenderFailure) {
    super(sentence(failure));
    this.failure = failure;
  }
}
