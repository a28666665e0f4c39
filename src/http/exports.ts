import { Type } from "@sinclair/typebox";
import { tables } from "../books/tables.ts";
import * as Field from "../invoicing/request/fields.ts";
import { createFieldReader } from "../invoicing/request/validation.ts";
import { tableFile } from "./answer/csv.ts";
import { problem, validationProblem } from "./problem/problem.ts";
import { type Route, route } from "./route.ts";

const ExportQuery = Type.Object(
  {
    from: Type.Optional(Field.meaning("the first day; open when left out", Field.day)),
    to: Type.Optional(Field.meaning("the last day; open when left out", Field.day)),
  },
  { additionalProperties: false },
);

const names = tables.map(({ name }) => name);

export const codesMissing =
  "It is not known what your books call these. See errors, and write them at the desk: /desk/settings/books";
export const codeMissing = "has no code";

/** The tables of `till export` and of the desk, for programs. */
export const exportRoute: Route = route({
  method: "get",
  path: "/api/exports/:table",
  scope: "read",
  summary: "Download a table for bookkeepers, of some days or of all",
  names,
  query: ExportQuery,
  gives: "text/csv",
  fails: ["codes_missing"],
  does:
    (deps) =>
    ({ params, query }) => {
      const table = tables.find(({ name }) => name === params.table);
      if (!table) return problem("not_found", `There is no such table, but ${names.join(", ")}.`);
      const reader = createFieldReader([]);
      const from = reader.read("from", query.from, Field.calendarDay) ?? null;
      const to = reader.read("to", query.to, Field.calendarDay) ?? null;
      if (from !== null && to !== null && to < from) reader.add("to", `must not be before from, ${from}`);
      if (reader.faults.length > 0) return validationProblem(reader.faults);
      const file = tableFile(deps, table, { from, to }, "point");
      if (file.ok) return file.answer;
      const errors = file.missing.map((field) => ({ field, message: codeMissing }));
      return problem("codes_missing", codesMissing, { errors });
    },
});
