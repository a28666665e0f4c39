import * as Usdc from "../../domain/usdc.ts";
import type { Db } from "../database.ts";
import * as RelayStore from "../tables/settle/relay.ts";
import * as CrossingStore from "../tables/watch/crossing.ts";

/** Returns whether money comes that the chain does not show yet: a payer has signed it, or Circle has. */
export const isOnItsWay = (db: Db, index: number): boolean =>
  RelayStore.onItsWay(db, index) !== null || Usdc.shows(CrossingStore.attested(db, index));
