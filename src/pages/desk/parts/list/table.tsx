import type { WithChildren } from "../../../layout.tsx";
import { attr } from "../../../text.ts";

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
  foot: safeFoot,
  children: safeRows,
}: WithChildren<{
  caption: string;
  heads: readonly ColumnHead[];
  isLinked?: boolean;
  live?: string;
  kind?: string;
  foot?: JSX.Element;
}>) {
  return (
    <table
      role="table"
      class={attr(`table ${kind}`.trim())}
      {...(live === undefined ? {} : { id: attr(live), "data-live": true })}
    >
      <caption class="visually-hidden" safe>
        {caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map((head) =>
            typeof head === "string" ? (
              <th role="columnheader" scope="col" safe>
                {head}
              </th>
            ) : "hidden" in head ? (
              <th role="columnheader" scope="col" class="end">
                <span class="visually-hidden" safe>
                  {head.hidden}
                </span>
              </th>
            ) : (
              <th role="columnheader" scope="col" class="end" safe>
                {head.end}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">{safeRows}</tbody>
      {safeFoot !== undefined && <tfoot role="rowgroup">{safeFoot}</tfoot>}
    </table>
  );
}
