/** As in NIST SP 800-63B: length counts, kinds of characters do not. */
export const passwordLengthMin = 12;
/** A longer one is a mistake, or an attack on the hash. */
const passwordLengthMax = 200;

export const isPassword = ({ length }: string): boolean =>
  length >= passwordLengthMin && length <= passwordLengthMax;

/** Cost of checking a password, in KiB and rounds. Each hash contains its own. */
type Cost = { memoryCost: number; timeCost: number };

/** Argon2id as OWASP recommends it: 64 MiB and about 80 ms. */
const costOfNew: Cost = { memoryCost: 65_536, timeCost: 2 };
const algorithm = "argon2id";

/** Belongs to nobody, so that an unknown name takes as long as a wrong password. */
const nobodysHash = Bun.password
  .hashSync("nobody", { algorithm, memoryCost: 8, timeCost: 1 })
  .replace(/\$m=\d+,t=\d+,/, `$m=${costOfNew.memoryCost},t=${costOfNew.timeCost},`);

/** Maximum number of checks waiting; beyond that, people are asked to come back. */
const waitingMax = 8;

/** Result of a check; `busy` if too many are waiting. */
type PasswordCheck = "right" | "wrong" | "busy";

/** Checks passwords one at a time, off the event loop: however many people guess, it takes 64 MiB and one processor. */
export type Passwords = ReturnType<typeof createPasswords>;

type Turn = () => Promise<void>;

/** `cost` applies to new hashes. */
export function createPasswords(cost = costOfNew) {
  const members: Turn[] = [];
  const strangers: Turn[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      const turn = members.shift() ?? strangers.shift();
      if (turn === undefined) break;
      await turn();
    }
    isRunning = false;
  }

  const take = <T>(queue: Turn[], work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push(() => work().then(resolve, reject));
      void run();
    });

  return {
    hash: (password: string) => take(members, () => Bun.password.hash(password, { algorithm, ...cost })),
    /** `hash` is null if nobody has that name. Known browsers go first and always get a turn. */
    async check(password: string, hash: string | null, isKnown: boolean): Promise<PasswordCheck> {
      if (!isKnown && strangers.length >= waitingMax) return "busy";
      const text = password.slice(0, passwordLengthMax + 1);
      const isRight = await take(isKnown ? members : strangers, () =>
        Bun.password.verify(text === "" ? " " : text, hash ?? nobodysHash),
      );
      return isRight && hash !== null ? "right" : "wrong";
    },
  };
}
