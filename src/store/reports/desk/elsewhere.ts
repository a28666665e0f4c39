import type { Receivable } from "../../../domain/receivable/receivable.ts";
import { type OtherChain, otherChain } from "../../../domain/wallet/elsewhere.ts";
import type { NetworkName } from "../../../domain/wallet/network.ts";
import type { Db } from "../../database.ts";
import type { Found } from "../../tables/settle/elsewhere.ts";
import * as ElsewhereStore from "../../tables/settle/elsewhere.ts";
import { receivableAt } from "../receivable.ts";

/** What came on another chain, and what it was sent for. */
export type Came = { found: Found; chain: OtherChain; about: Receivable };

const withAll = (db: Db, home: NetworkName, all: readonly Found[]): Came[] =>
  all.flatMap((found) => {
    const chain = otherChain(home, found.chainId);
    return chain === null ? [] : [{ found, chain, about: receivableAt(db, found.depositIndex) }];
  });

/** All that came for one deposit, moved or not, oldest first. */
export const listOf = (db: Db, home: NetworkName, index: number): Came[] =>
  withAll(db, home, ElsewhereStore.listOf(db, index));

/** What is still there, oldest first. */
export const listThere = (db: Db, home: NetworkName, limit: number): Came[] =>
  withAll(db, home, ElsewhereStore.listThere(db, limit));

export const byId = (db: Db, home: NetworkName, id: number): Came | null =>
  withAll(db, home, [ElsewhereStore.byId(db, id) ?? []].flat())[0] ?? null;
