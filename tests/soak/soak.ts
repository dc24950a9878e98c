export interface SoakOptions {
  seed: number
  /** This seed was run before: what it found is to be shown as shortly as it can be. */
  replay: boolean
  /** How much of it, for the soak tests that have one of these options. */
  sequences: number
  steps: number
  deliveries: number
  rounds: number
  /** Undefined: as many as the soak test takes by default. */
  requests: number | undefined
  daemons: number
  /** How long it goes on, where that is up to whoever asks. */
  minutes: number
  /** Only the defects with this in their name. */
  only: string
  /** Progress, for whoever watches. */
  say: (text: string) => void
  /** From then on no more is begun: what was started is stopped, and the figures so far are answered. */
  signal: AbortSignal
}

export interface SoakResult {
  /** What was done and seen, by its name. */
  figures: (readonly [string, string])[]
  /** If there are any, the soak test has failed. */
  violations: number
}

export type Soak = (options: SoakOptions) => Promise<SoakResult>
