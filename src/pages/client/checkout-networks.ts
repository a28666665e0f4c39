// First what the page adds to itself, then the page.
import "./wallet/crossing.ts";
import "./checkout.ts";
