/** A request that an open page makes by itself, to stay up to date: nobody has to be at the screen. */
const header = "x-unasked";

export const unasked: Readonly<Record<string, string>> = { [header]: "1" };

export const isUnasked = ({ headers }: Pick<Request, "headers">): boolean => headers.has(header);
