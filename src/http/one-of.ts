import { Type } from "@sinclair/typebox";

/** The schema of a text that is one of these; `wants` says so to a caller. */
export const oneOf = <T extends string>(values: readonly T[], wants: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { wants },
    ),
  );
