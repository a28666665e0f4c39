/** Says a sentence to a screen reader, after what it is just saying. The page has the region. */
export function announce(sentence: string): void {
  const region = document.getElementById("announcement");
  if (region && region.textContent !== sentence) region.textContent = sentence;
}
