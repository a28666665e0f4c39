import type { PaymentProps } from "../payment/payment-props.ts";
import type { ShopHeaderProps } from "./shop-header.tsx";

/** Nothing in here is private: whoever has the link sees it. */
export type CheckoutPageProps = CheckoutFrame &
  ShopHeaderProps & {
    /** Where the script asks for the payment status, as JSON. */
    statusUrl: string;
    /** Where the script fetches the payment section. */
    paymentUrl: string;
    /** Where the payer goes on when it is paid; not in the page before. */
    successUrl: string | null;
    /** Where a payer can ask for a receipt, and how much of the address shows that was left; null: nowhere. */
    receipt: { href: string; maskedEmail: string | null } | null;
    payment: PaymentProps;
    /** Of a payment that was begun at a reusable link: that link, how many pieces it is for, where the next one begins. */
    reusable: { slug: string; quantity: number; href: string } | null;
  };

/** Who shows the page, and how. */
export type CheckoutFrame = {
  slug: string;
  /** The exact origin (`https://shop.example`) of the page around it, which is told about it; null tells nobody. */
  parentOrigin: string | null;
  /** In a frame as tall as its content: no ground, no margins. */
  embedded: boolean;
};
