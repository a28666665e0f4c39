import type { Texts } from "./en.ts";

export const ja: Texts = {
  awaitingPayment: "お支払い待ち",
  overdue: "期限超過",
  paymentSeen: "送金を検出",
  partlyPaid: "一部支払い済み",
  paid: "支払い済み",
  paidInExcess: "過入金",
  paymentProblem: "お支払いに問題があります",

  sayOpen: "{remaining} USDC のお支払いをお待ちしています。",
  sayPending: "{pending} USDC の送金を検出しました。現在承認中です。",
  sayPartial: "{total} USDC のうち {received} USDC を受け取りました。残りは {remaining} USDC です。",
  sayPaid: "支払い済みです。{received} USDC を受け取りました。",
  sayExcess: "支払い済みです。{received} USDC を受け取りました。請求額より {excess} USDC 多い金額です。",
  sayError:
    "このお支払いにネットワーク上の問題が発生しました。二重払いになるため、再度のお支払いはしないでください。",

  amountDue: "お支払い金額",
  stillToPay: "残りのお支払い金額",
  onItsWay: "送金を処理中",
  dueOn: "支払期限：{day}",
  wasDueOn: "支払期限：{day}（超過）",
  receivedSoFar: "受取済みの金額",
  receivedOf: "{total} USDC のうち {received} USDC を受取済み",

  confirmations: "承認数",
  confirmationsOne: "承認 {count} / {needed}",
  confirmationsOther: "承認 {count} / {needed}",
  notFinalYet: "未確定",
  beingConfirmed: "ネットワークで承認中",
  waitingForFinal: "検出済み。ネットワークでの確定を待っています",
  confirmingAll:
    "送金がネットワーク上で検出されました。これ以上の操作は不要です。承認されしだい、このページに支払い済みと表示されます。",
  confirmingPart:
    "送金がネットワーク上で検出されました。承認されしだい、{remaining} USDC のうちの残額がこのページに表示されます。",
  delayed:
    "**現在、お支払いの表示が遅れています。**ネットワークへの接続が遅くなっています。送金が失われることはありません。接続が回復すると、ここに表示されます。",

  paidAndMore: "支払い済み（過入金）",
  receivedInFull: "全額を受け取りました。これ以上の操作は不要です。",
  differenceOfInvoice:
    "請求額 {total} USDC に対して **{excess} USDC** 多く入金されました。差額については[請求元にお問い合わせ]ください。",
  differenceOfLink:
    "請求額 {total} USDC に対して **{excess} USDC** 多く入金されました。差額についてはショップにお問い合わせください。",
  returnToShop: "ショップに戻る",
  usedUp:
    "このリンクは支払い済みです。二重払いになるため、再度のお支払いはしないでください。別のお支払いには、ショップの新しいリンクが必要です。",
  somethingWrong: "問題が発生しました",
  failed:
    "このお支払いにネットワーク上の問題があります。**二重払いになるため、再度のお支払いはしないでください。**この状態が続く場合は、ショップにお問い合わせください。",
  failedWait: "承認されしだい、このページにお支払いが表示されます。",
  failedSeenAgain: "{pending} USDC が再び検出され、承認中です。",

  howToPay: "お支払い方法",
  testNetwork:
    "**テストネットワークです。**テスト用の USDC のみでお支払いください。実際のお金を送らないでください。",
  testNetworkName: "{network}、テストネットワーク",
  whereFrom: "お支払い方法を選んでください",
  wallet: "ウォレット",
  scan: "スキャン",
  exchange: "取引所・他のウォレット",
  noWallet: "このブラウザにウォレットがない場合は、スマートフォンでコードを読み取ってください。",
  walletHint:
    "アドレス、金額、ネットワークが入力された状態でウォレットアプリが開きます。下の表示と一致することを確認してください。",
  qrOfPayment: "このお支払いの QR コード（ウォレットアプリ用）",
  qrOfAddress: "入金アドレスの QR コード",
  scanHint:
    "ウォレットアプリで読み取ると、アドレス、金額、ネットワークが自動で入力されます。下の表示と一致することを確認してください。",
  openWallet: "ウォレットアプリで開く",
  exchangeNetwork: "**USDC** を出金または送金し、ネットワークに **{network}** を選んでください。",
  exchangeAddress: "コードを読み取るか、下の入金アドレスを貼り付けてください。",
  exchangeAmount:
    "着金額がちょうど {amount} USDC になるように送ってください。取引所の手数料が出金額から差し引かれる場合は、その分を上乗せしてください。",
  amount: "金額",
  depositAddress: "入金アドレス",
  onlyNetwork:
    "**{network} ネットワークの USDC のみ。**それ以外の資産をこのアドレスに送ると、失われるおそれがあります。",

  copy: "コピー",
  copied: "コピー済み",
  notCopied: "コピー失敗",
  copyAmount: "金額をコピー",
  amountCopied: "金額をコピーしました",
  amountNotCopied: "金額をコピーできませんでした。選択して手動でコピーしてください。",
  copyAddress: "入金アドレスをコピー",
  addressCopied: "入金アドレスをコピーしました",
  addressNotCopied: "入金アドレスをコピーできませんでした。選択して手動でコピーしてください。",

  payment: "お支払い",
  payments: "お支払い",
  smallerPayments: "表示していない少額のお支払い：{count} 件",
  confirmed: "承認済み",
  transactionInExplorer: "エクスプローラーでトランザクション {hash} を見る",

  invoiceNumber: "請求書 {number}",
  invoiceFrom: "{merchant} からの請求書 {number}",
  invoiceDetails: "請求書の内容",
  billedBy: "請求元",
  billedTo: "請求先",
  issueDate: "発行日",
  dueDate: "支払期限",
  description: "内容",
  amountInUsdc: "金額（USDC）",
  total: "合計",
  notes: "備考",
  downloadPdf: "PDF をダウンロード",
  contactMerchant: "請求元に問い合わせる",
  payTo: "お支払い先",
  receipt: "領収書",
  transaction: "トランザクション",

  footnote:
    "このページは自動的に更新されます。お支払いにアカウントは不要です。このページにパスワードやリカバリーフレーズを入力しないでください。",
  language: "言語",
  connectionLost: "接続が切れました。再接続しています…",
  connectedAgain: "再接続しました。",
  hostedBy: "運営：{brand}",
  openYourLink: "請求書のお支払いは、受け取ったリンクを開いてください。",

  payWith: "{wallet} で支払う",
  confirmInWallet: "{wallet} でお支払いを確認してください。",
  sent: "送金しました。ネットワークに届きしだい、ここに表示されます。",
  noAccount: "ウォレットに支払いに使えるアカウントがありません。",
  unknownNetwork:
    "ウォレットに {network} が登録されていません。ウォレットで追加して（チェーン ID {chainId}）、もう一度お試しください。",
  otherNetwork:
    "ウォレットが別のネットワークになっています。{network} に切り替えて、もう一度お試しください。",
  tooLittle: "このアカウントの {network} ネットワーク上の USDC は、お支払い金額に足りません。",
  declined: "ウォレットで拒否されました。何も送金されていません。",
  unauthorized:
    "ウォレットがアカウントの表示を許可していません。ウォレットで許可して、もう一度お試しください。",
  requestPending: "ウォレットに確認待ちのリクエストがあります。ウォレットで確認または拒否してください。",
  walletFailed:
    "ウォレットから送金できませんでした。もう一度試す前に、何も送金されていないことをウォレットで確認してください。",
  noFee:
    "ウォレットから送金できませんでした。このアカウントには手数料に使う {network} ネットワークの ETH がありません。もう一度試す前に、何も送金されていないことをウォレットで確認してください。",
  reverted:
    "トランザクションがネットワーク上で失敗しました。USDC は送金されていませんが、ネットワーク手数料が差し引かれている場合があります。もう一度試す前に、ウォレットでアカウントを確認してください。",

  invoiceNotFound: "請求書が見つかりません",
  invoiceNotFoundText:
    "この URL に請求書はありません。リンクが途中で切れていないかご確認いただくか、送信元に新しいリンクをご依頼ください。",
  linkNotFound: "支払いリンクが見つかりません",
  linkNotFoundText:
    "この URL に支払いリンクはありません。リンクが途中で切れていないかご確認いただくか、ショップに新しいリンクをご依頼ください。",
  pageNotFound: "ページが見つかりません",
  pageNotFoundText: "お探しのページは見つかりませんでした。",
  tooManyRequests: "リクエストが多すぎます",
  tooManyRequestsText: "{seconds} 秒後にもう一度お試しください。",
  somethingWrongText: "1 分後にもう一度お試しください。",

  payWithUsdc: "USDC で支払う",
  formMissing: "お支払いフォームを読み込めませんでした。",
  openPayment: "お支払いページを開く",
  slugMissing: "支払いリンクが指定されていません。",

  invoiceSubject: "{merchant} からの請求書 {number}：{sum}",
  sumPaid: "{amount} USDC（支払い済み）",
  sumDue: "{amount} USDC、支払期限 {day}",
  sumWasDue: "{amount} USDC、支払期限 {day}（超過）",
  restDue: "残り {amount} USDC、支払期限 {day}",
  restWasDue: "残り {amount} USDC、支払期限 {day}（超過）",
  invoice: "請求書",
  hasSent: "{vendor} 様宛の請求書をお送りします。",
  merchantHasSent: "{merchant} から {vendor} 様宛の請求書をお送りします。",
  amountOverdue: "期限超過の金額",
  amountPaid: "お支払い済みの金額",
  viewAndPayInvoice: "請求書を見て支払う",
  viewInvoice: "請求書を見る",
  pdfAttached: "このメールにも添付されています。",
  noteFrom: "{merchant} からのメッセージ",
  nothingLeft: "お支払いは完了しています。",
  onlyOn: "{network} ネットワークの USDC でのみお支払いください。",
  pageShows: "ページにアドレスと QR コードが表示されます。アカウントは不要です。",
  checkLink: "リンクが次で始まることを確認してください：",
  noAddress:
    "{brand} がメールに入金アドレスを書くことはありません。メールに何が書かれていても、アドレスは必ず上記のページで確認してください。",
  noAddressWithPdf:
    "{brand} がメール本文に入金アドレスを書くことはありません。添付 PDF のアドレスに支払う前に、必ず上記のページのアドレスと照合してください。",
  orOpen: "または次のリンクを開いてください：",
  sentBy: "{merchant} に代わって {brand} が送信しました。返信先は {replyTo} です。",
  noticeSentBy: "{brand} が送信しました。返信先はお取引先の {replyTo} です。",
  andMore: "（請求額より {excess} USDC 多い入金）",
  receiptSubject: "{merchant} の請求書 {number} の領収書：{received} USDC{more}",
  receiptPreview: "全額を受領しました{more}",
  receiptHeading: "請求書 {number} の領収書",
  receiptSentence: "{name} がお支払いの全額を受領いたしました。ありがとうございました。",
  noticeSubject: "入金：{vendor} 様宛の請求書 {number}、{received} USDC{more}",
  noticePreview: "{received} USDC が入金されました{more}",
  noticeHeading: "請求書 {number} の入金が完了しました",
  noticeSentence: "{name} 様より全額のご入金がありました。",
  tooMuch: "請求額 {total} USDC に対して、{excess} USDC 多く入金されました。",
  askMerchant: "差額については {merchant} にお問い合わせください。",
  ownAffair: "差額については、お取引先と直接ご精算ください。{brand} から返金することはありません。",
  network: "ネットワーク",

  invoiceNumberLabel: "請求書番号",
  quantity: "数量",
  unitPrice: "単価",
  payAmount: "{amount} USDC のお支払い",
  scanOrSend: "ウォレットでコードを読み取るか、入金アドレスに送金してください。",
  onlyUsdc: "{network} ネットワークの USDC のみ",
  payOnline: "オンラインで支払い、入金を確認する",
  paidInFull: "全額支払い済み",
  seeOnline: "入金をオンラインで確認する",
  pageOfCount: "{page} / {count} ページ",
};
