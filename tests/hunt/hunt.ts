export interface HuntOptions {
  seed: number
  /** This seed was hunted before: what it found is to be told as shortly as it can be. */
  replay: boolean
  /** How much of it, where the hunt knows one of these words. */
  sequences: number
  steps: number
  deliveries: number
  rounds: number
  /** As many as the hunt takes by itself where nobody said. */
  requests: number | undefined
  daemons: number
  /** Of the defects, those with this in their name. */
  only: string
  /** Progress, for whoever watches. */
  say: (text: string) => void
  /** From then on no more is begun: what was started is stopped, and the figures so far are answered. */
  signal: AbortSignal
}

export interface HuntResult {
  /** What was done and seen, by its name. */
  figures: (readonly [string, string])[]
  /** None, or the hunt has failed. */
  violations: number
}

export type Hunt = (options: HuntOptions) => Promise<HuntResult>
