/** How parts of the app speak: to the log, to the person, or to end the app with the reason. */
export interface Reporter {
  detail: (message: string) => void
  notice: (message: string) => void
  fatal: (error: unknown) => void
}
