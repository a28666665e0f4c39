import { Html } from "@elysiajs/html";
import { attr } from "../../../text.ts";

/** Above a list: links that narrow it, each with how many there are. They follow the server. */
export function Kinds({
  label,
  kinds,
}: {
  label: string;
  kinds: readonly { href: string; text: string; count?: string; isHere: boolean }[];
}) {
  return (
    <nav class="kinds" id="kinds" data-live aria-label={attr(label)}>
      <ul>
        {kinds.map(({ href, text, count, isHere }) => (
          <li>
            <a href={attr(href)} aria-current={isHere ? "page" : false}>
              {Html.escapeHtml(text)}
              {count !== undefined && <span class="num" safe>{` ${count}`}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
