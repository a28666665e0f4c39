/** What stands between the tags of a component. */
export type WithChildren<Props> = Props & { children?: JSX.Element | JSX.Element[] };
