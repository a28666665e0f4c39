import type { LanguageCode } from "../../../domain/language.ts";
import type { Role } from "../../../domain/party/person.ts";
import type * as AuditStore from "../../../store/tables/desk/audit.ts";
import type { DeskFrame, DoneText } from "./desk-frame.ts";

/** A request from somebody who is allowed to make it. */
export type Visit = {
  request: Request;
  params: Readonly<Record<string, string>>;
  /** The URL's query. */
  query: URLSearchParams;
  /** Unix time in milliseconds. */
  now: number;
  frame: DeskFrame;
  /** In development nobody signs in: an owner without a name. */
  who: {
    id: number | null;
    name: string;
    role: Role;
    language: LanguageCode | null;
    sessionId: number | null;
  };
};

/** The outcome of a form. */
export type FormOutcome =
  /**
   * Done: redirects to `to`, which shows `did` once. For the audit: `subject` is the thing affected, `action` the action
   * of a form with several, `changes` the changed settings.
   */
  | {
      kind: "done";
      to: string;
      did?: DoneText;
      subject?: string;
      action?: string;
      changes?: readonly AuditStore.Change[];
      headers?: Record<string, string>;
    }
  /** Done, and the page shows something only this once, such as a key. */
  | { kind: "shown"; html: string; subject?: string; headers?: Record<string, string> }
  /** Not done: the HTML of a page with the reason. */
  | string
  /** Attempted without success: the page states the reason. */
  | { kind: "failed"; html: string };
