import { escapeHtml } from "@kitajs/html";
import type { WithChildren } from "../../layout.tsx";
import { attr } from "../../text.ts";
import { DeskIcon } from "./icon.tsx";

/** The head of a page: where it belongs, its title with a pill, a line below, and what can be done. */
export function PageHead({
  back,
  title,
  pill,
  line,
  children,
}: WithChildren<{
  /** The list that the page came from. */
  back?: { href: string; label: string };
  title: string;
  /** Markup. */
  pill?: JSX.Element;
  line?: string;
}>) {
  const safePill = pill;
  const safeActions = children;
  return (
    <div class="head">
      <div class="head-words">
        {back !== undefined && (
          <a class="back" href={attr(back.href)}>
            <DeskIcon name="back" turns />
            {escapeHtml(back.label)}
          </a>
        )}
        <div class="title">
          <h1 dir="auto" safe>
            {title}
          </h1>
          {safePill}
        </div>
        {line !== undefined && (
          <p dir="auto" safe>
            {line}
          </p>
        )}
      </div>
      {safeActions !== undefined && <div class="actions actions-wide">{safeActions}</div>}
    </div>
  );
}
