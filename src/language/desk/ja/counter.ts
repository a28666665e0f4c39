import type { CounterTexts } from "../en/counter.ts";

export const counter: CounterTexts = {
  counterToPay: "お支払い金額",
  counterWhat: "内容",
  counterWhatHint: "内容（任意）",
  counterKeys: "テンキー",
  counterErase: "1 文字消す",
  counterCharge: "{amount} を請求する",
  counterNothing: "先に金額を入力してください。",
  counterWhatFault: "120 文字以内のテキスト 1 行で入力してください。",
  counterLeave: "レジを閉じる",
  counterSound: "支払い完了時に音を鳴らす",
  counterOffline:
    "Till に接続できないため、送信されていません。失われたものはありません。もう一度お試しください。",
  counterDay: "今日のレジ",
  counterDayNone: "今日はまだありません。",
  counterCancelled: "取消済み",
  counterLateTitle: "取り消した後に {amount} USDC の入金がありました。",
  counterLateText: "請求のない入金です。返金するか、お客様の意思によるものならそのままお受け取りください。",
  counterShow: "表示",
  counterNobody: "請求元が未設定です",
  counterNobodyText:
    "レジを使うには、店名とメールアドレスが必要です。設定に入力すると、全員がここから請求できます。",
  counterToSettings: "設定を開く",

  counterCancel: "取り消す",
  counterNext: "次のお客様",
  counterWaiting: "お支払い待ち",
  counterSeenText: "{amount} USDC を検出しました。承認されるまでお待ちください。",
  counterPartlyText: "{total} USDC のうち {received} USDC を受け取りました。このコードは残額用です。",
  counterPartSeenText: "{amount} USDC を処理中です。このコードは残額用です。",
  counterTakenBackText:
    "承認済みの入金がネットワークによって取り消されました。多くの場合は自動的に元に戻ります。二重払いにならないよう、お待ちください。",
  counterByWallet: "ウォレットアプリ",
  counterByCamera: "カメラ",
  counterByHand: "手入力",
  counterCodeCamera: "お支払いページの QR コード（カメラ用）",
  counterWalletText:
    "**{network} ネットワークの USDC のみ。**ウォレットアプリで読み取ると、すべて自動で入力されます。",
  counterCameraText: "カメラで読み取ると、お支払いページが開きます。",
  counterHandText: "{network} ネットワークの USDC を、この金額ちょうど、このアドレスに送ってください。",
  counterAddress: "アドレス",

  counterExcess:
    "{total} USDC に対して {excess} USDC 多く入金されました。差額を返金するか、チップとしてお受け取りください。",
  counterReceipt: "領収書を送る",
  counterReceiptPdf: "領収書（PDF）",
  counterReceiptTo: "お客様のメールアドレス",
  counterReceiptFault: "name@example.com のようなメールアドレスを入力してください。",
  counterCancelledText: "お支払いは不要です。お客様のページにもそのように表示されます。",

  counterVoidReason: "レジで取り消されました。",
  didCancelSale: "お支払いを取り消しました。",
  didSendReceipt: "領収書を送信しています。",
  didFindReceiptSent: "このお支払いの領収書は送信済みです。",
};
