let context: AudioContext | null = null;

const storageKey = "till:sound";

/** Browsers play no sound before somebody has touched the page. */
export function wakeSound(): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => {});
}

function isOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

/** The button that turns the sound off, on this device. */
export function followSwitch(): void {
  const button = document.getElementById("sound");
  if (!button || typeof AudioContext === "undefined") return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isOn()));
  button.addEventListener("click", () => {
    const next = !isOn();
    try {
      localStorage.setItem(storageKey, next ? "on" : "off");
    } catch {
      return;
    }
    button.setAttribute("aria-pressed", String(next));
    if (next) chime();
  });
}

/** Two rising notes for a payment: the frequency in Hz, and the start in seconds. */
const notes = [
  [659.25, 0],
  [987.77, 0.14],
] as const;
const noteSeconds = 0.5;
const loudness = 0.25;

export function chime(): void {
  if (context?.state !== "running" || !isOn()) return;
  for (const [hertz, after] of notes) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + noteSeconds);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + noteSeconds);
  }
  // Vibrates where the device can, for deaf people.
  navigator.vibrate?.([60, 40, 60]);
  document.documentElement.dataset["chimed"] = String(Date.now());
}
