import type { DoorTexts } from "../en/door.ts";

export const door: DoorTexts = {
  signIn: "サインイン",
  signInTo: "{shop} にサインイン",
  signInText: "請求とお支払いを USDC で。",
  signInByPasskey: "パスキーでサインイン",
  signInByPasskeyText: "指紋、顔、または PIN をお使いの端末で確認します。盗まれるパスワードはありません。",
  signInByPasswordInstead: "パスワードを使う",
  signInByPasskeyInstead: "パスキーを使う",
  signInWrong: "名前またはパスワードが違います。",
  signInRefused: "このパスキーではサインインできないか、時間切れです。もう一度お試しください。",
  tooManyTries: "試行回数が多すぎます。1 分後にもう一度お試しください。",
  cannotSignIn: "サインインできない場合",
  loginCommandText:
    "この Till の管理者に、サーバー上で次のコマンドの実行をご依頼ください。5 分間、1 回だけ使えるリンクが表示されます。",
  nobodyYet: "サインインできる人がまだいません",
  nobodyYetText: "最初の 1 人は、一度だけ使えるリンクからサインインします。",
  didSignOut: "サインアウトしました。",
  didEnter: "ようこそ。サインインしました。",

  yourName: "あなたの名前",
  yourNameHint: "操作の履歴に表示されます。見えるのはチーム内だけです。",
  nameWanted: "名前を 60 文字以内で入力してください。",
  nameTaken: "同じ名前の人がいます。区別できる言葉を加えてください。",
  password: "パスワード",
  newPassword: "新しいパスワード",
  passwordHint: "{count} 文字以上。いくつかの単語を並べると、覚えやすく推測されにくくなります。",
  passwordTooShort: "12 文字以上 200 文字以内で入力してください。",
  setPasswordAndEnter: "設定してサインイン",

  firstOwner: "管理画面の利用を始める",
  firstOwnerText: "オーナー用の一度だけ使えるリンクを開きました。次回からのサインイン方法を決めてください。",
  invitedTo: "{shop} に招待されています",
  guestOwner: "オーナーは、資金の移動やメンバーの招待を含む、すべての操作ができます。",
  guestStaff: "スタッフは、請求書とリンクの作成・送信と、支払い状況の確認ができます。",
  guestAccountant: "経理担当は、請求と支払いのすべてを閲覧し、書き出すことができます。",
  welcomeBack: "おかえりなさい、{name} さん",
  welcomeBackText:
    "一度だけ使えるリンクを開きました。次回からリンクなしで入れるように、サインイン方法を決めてください。",
  makePasskey: "パスキーを作成",
  makePasskeyText:
    "端末に保存され、指紋、顔、または PIN で保護されます。偽のページに入力してしまうこともありません。",
  passkeyRefused: "このパスキーを登録できませんでした。もう一度お試しください。",
  passkeyInstead: "パスキーを作成する",
  passwordInstead: "パスワードを使う",
  enterOnce: "作成せずにサインイン",
  passkeysImpossible:
    "パスキーを使うには、ドメイン名のある https の URL が必要です。利用できる場合は、パスキーのほうが安全です。",
  linkGone: "このリンクは使えなくなりました",
  linkGoneText:
    "リンクは 1 回だけ、短い期間のみ有効です。新しいリンクは、このリンクの送り主に依頼してください。",

  yourPassword: "あなたのパスワード",
  yourPasswordHint: "ほかの人があなたの画面で操作できないように、もう一度確認します。",
  proofPasskey: "パスキーが確認されなかったか、時間切れです。もう一度お試しください。",
  proofPassword: "パスワードが違います。",
  passkeyUnsupported: "このブラウザではパスキーを使えません。安全な接続と最新のブラウザが必要です。",
  passkeyElsewhere: "この管理画面のパスキーは {host} でのみ使えます。そちらで開いてください。",
  passkeyNotGiven: "確認されませんでした。準備ができたら、もう一度お試しください。",
  passkeyNotMade: "パスキーを作成できませんでした。もう一度試すか、別の端末をお使いください。",
  passkeyThere: "このデバイスにはすでにパスキーがあります。別のデバイスで追加してください。",
  passkeyNeedsScript: "パスキーには JavaScript が必要ですが、このブラウザでは無効になっています。",
};
