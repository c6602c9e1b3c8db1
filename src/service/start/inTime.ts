/** What comes of the work; throws the sentence when that takes longer than so many milliseconds. */
export async function inTime<T>(milliseconds: number, work: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
