/** Whether a route is the desk's: the merchant's own pages, behind a session of their own. */
export const isDesk = (route: string): boolean => route === "/desk" || route.startsWith("/desk/");
