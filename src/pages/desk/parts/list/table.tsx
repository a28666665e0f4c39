import type { Markup } from "../../../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../../layout.tsx";

/** The head of a column; of figures, it stands at the end; of buttons, it is for screen readers. */
type ColumnHead = string | { end: string } | { hidden: string };

/**
 * A table whose children are its rows. It is a list on a phone, by a display for which some browsers forget what a table
 * is: so the roles are written out. `isLinked`: each row is a link. `live`: its id, when it follows the server. `kind`: a
 * class of its own. `foot`: markup, the row of its sums.
 */
export function Table({
  caption,
  heads,
  isLinked = false,
  live,
  kind = isLinked ? "rows" : "",
  foot,
  children,
}: WithChildren<{
  caption: string;
  heads: readonly ColumnHead[];
  isLinked?: boolean;
  live?: string;
  kind?: string;
  foot?: Markup;
}>) {
  return (
    <table
      role="table"
      class={`table ${kind}`.trim()}
      {...(live === undefined ? {} : { id: live, "data-live": true })}
    >
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map((head) =>
            typeof head === "string" ? (
              <th role="columnheader" scope="col">
                {head}
              </th>
            ) : "hidden" in head ? (
              <th role="columnheader" scope="col" class="end">
                <span class="visually-hidden">{head.hidden}</span>
              </th>
            ) : (
              <th role="columnheader" scope="col" class="end">
                {head.end}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
      {foot !== undefined && <tfoot role="rowgroup">{foot}</tfoot>}
    </table>
  );
}
