export interface HuntOptions {
  seed: number
  /** This seed was hunted before: what it found is to be told as shortly as it can be. */
  replay: boolean
  sequences: number
  steps: number
  deliveries: number
  /** Progress, for whoever watches. */
  say: (text: string) => void
}

export interface HuntResult {
  /** What was done and seen, by its name. */
  figures: (readonly [string, string])[]
  /** None, or the hunt has failed. */
  violations: number
}

export type Hunt = (options: HuntOptions) => Promise<HuntResult>
