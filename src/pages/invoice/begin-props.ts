import type { Locale } from "../../language/locale.ts";
import type { PaymentProps } from "../payment/payment-props.ts";
import type { CheckoutFrame } from "./checkout-props.ts";
import type { ShopHeaderProps } from "./shop-header.tsx";

/** Amounts are USDC decimals (`"25.00"`). Nothing in here is private: whoever has the link sees it. */
export type BeginPageProps = CheckoutFrame &
  ShopHeaderProps & {
    locale: Locale;
    price:
      | { kind: "fixed"; each: string; quantityMax: number }
      | { kind: "chosen"; min: string; max: string };
    /** Until when a payment can be begun. */
    payBy: PaymentProps["payBy"];
    /** What makes a form that is sent twice one payment. */
    token: string;
    /** What the payer typed before. */
    typed: { quantity: string; amount: string; email: string };
    /** Whether a receipt can be mailed. */
    asksEmail: boolean;
    /** The field that cannot be taken, and why, as a sentence. */
    fault: { field: BeginField; sentence: string } | null;
    /** Why no payment can be begun just now, as a sentence. */
    notice: string | null;
  };

export type BeginField = "quantity" | "amount" | "email";
