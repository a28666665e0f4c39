import { isOf } from "../../domain/brand.ts";
import { HostedBy, MerchantMark } from "../../pages/brand-mark.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

type BrandPreviewProps = { frame: DeskFrame; merchant: string; number: string };

/** An invoice's page in the operator's colours: its head, and its foot if there is a logo. */
export function BrandPreview({ frame: { locale, brand }, merchant, number }: BrandPreviewProps) {
  return (
    <div class="preview" aria-hidden="true">
      <p class="label">{locale.say("settingPreview")}</p>
      <div class="preview-page">
        <div class="card">
          <div class="payer-head">
            <MerchantMark name={merchant} brand={brand} />
            <p>
              <strong dir="auto">{merchant}</strong>
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
        {!isOf(brand, merchant) && <HostedBy brand={brand} locale={locale} />}
      </div>
    </div>
  );
}
