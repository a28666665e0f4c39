import { MerchantMark } from "../../pages/brand-mark.tsx";
import type { DeskFrame } from "../parts/frame.tsx";

type BrandPreviewProps = { frame: DeskFrame; number: string };

/** The head of an invoice's page, in the operator's colours. */
export function BrandPreview({ frame: { locale, brand, shopName: name }, number }: BrandPreviewProps) {
  return (
    <div class="preview" aria-hidden="true">
      <p class="label">{locale.say("settingPreview")}</p>
      <div class="preview-page">
        <div class="card">
          <div class="payer-head">
            {brand.logo === null ? (
              <MerchantMark name={name} brand={brand} />
            ) : (
              <img class="preview-logo" src={brand.logo} alt="" />
            )}
            <p>
              <strong dir="auto">{name}</strong>
              <span class="soft">{locale.say("invoiceNumber", { number })}</span>
            </p>
          </div>
          <div>
            <span class="pill">{locale.say("awaitingPayment")}</span>
            <p class="figure">
              <span class="num">
                {locale.figure("96.00")}
                <span class="unit"> USDC</span>
              </span>
            </p>
            <p class="button">{locale.say("settingPreviewPay")}</p>
          </div>
        </div>
      </div>
    </div>
  );
}
