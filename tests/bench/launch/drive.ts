export interface Driven {
  count: number
  seconds: number
}

/** Each client does one after the other until the time is up, and ends what it has begun. */
export async function drive(
  clients: number,
  milliseconds: number,
  work: (client: number) => Promise<unknown>,
): Promise<Driven> {
  const begun = performance.now()
  const end = begun + milliseconds
  let count = 0
  async function client(index: number): Promise<void> {
    while (performance.now() < end) {
      await work(index)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return { count, seconds: (performance.now() - begun) / 1000 }
}

export function perSecond({ count, seconds }: Driven): number {
  return count / seconds
}
