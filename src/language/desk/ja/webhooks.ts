import type { webhooks as english } from "../en/webhooks.ts";
import type { TextsOf } from "../texts.ts";

export const webhooks: TextsOf<typeof english> = {
  webhooksLine:
    "Till がほかのプログラムに送った通知です（新しい順）。送信先は請求書とリンクごとに指定します。",
  webhooksAll: "すべて",
  webhooksFailing: "失敗中",
  webhooksTest: "テストを送信",
  webhooksEmpty: "Webhook はまだ送信されていません",
  webhooksEmptyText:
    "請求書やリンクに Webhook の URL を指定すると、支払われしだい Till がそこに通知します。プログラムが理解できるかどうかは、テストで今すぐ確認できます。",
  webhooksNoneFail: "失敗はありません",
  webhooksNoneFailText: "通知したプログラムはすべて応答しました。",
  webhooksCaption: "Webhook（新しい順）",
  webhookColumnEvent: "イベント",
  webhookColumnReceiver: "送信先",
  webhookColumnAnswer: "応答",
  webhookDelivered: "受信済み",
  webhookWaiting: "送信待ち",
  webhookRetrying: "再試行中",
  webhookFailed: "断念",
  webhookAnswered: "応答 {status}",
  webhookAttempts: "送信回数：{count}",
  webhookNext: "次の再試行：{when}",
  webhookAgain: "再送信",
  webhookNoOwner: "削除された対象",
  didSendWebhookAgain: "再送信しています。",

  testTitle: "テスト Webhook を送信",
  testLine: "実在しない請求書のイベントを、通常と同じ署名付きで送信し、応答を表示します。",
  testUrl: "プログラムの URL",
  testUrlHint: "例：https://shop.example/till",
  testSend: "テストを送信",
  testFault: "この URL をご確認ください：{reason}",
  testTaken: "受信されました",
  testNotTaken: "受信されませんでした",
  testAnswered: "プログラムが {ms} ミリ秒後に {status} を返しました。",
  testGone: "プログラムが 410 を返しました。この場合、Till は再試行しません。",
  testFailed: "{ms} ミリ秒後：{reason}。",
  testSigned: "このテスト専用に作成された次のシークレットで署名されています：",
  testBody: "送信した内容：",
};
