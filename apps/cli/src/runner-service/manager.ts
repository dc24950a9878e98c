import type { KeptRunner } from './kept-runner.ts'

/** One call of the manager's own program. */
export interface Step {
  readonly words: readonly [program: string, ...args: string[]]
  /** What a person does where it fails; without it that ends everything. */
  readonly otherwise?: string
}

/** What the manager says of the runner. */
export interface ManagedState {
  /** In its own word; null where it knows of none. */
  readonly state: string | null
  /** It is started with the machine or at the login. */
  readonly startsByItself: boolean
  readonly process: number | null
}

/** What keeps programs running on a machine. */
export interface Manager {
  readonly name: string
  /** Where a person reads what the runner prints. */
  readonly logs: (kept: Pick<KeptRunner, 'home'>) => string
  /** The file by which it knows the runner. */
  readonly file: (env: NodeJS.ProcessEnv) => string
  readonly describe: (kept: KeptRunner) => string
  /** `isNews`: the file is there or another one since. */
  readonly start: (file: string, isNews: boolean) => readonly Step[]
  /** Before the file goes. */
  readonly stop: (file: string) => readonly Step[]
  /** After it went. */
  readonly forget: readonly Step[]
  readonly asks: Step['words']
  readonly read: (answer: { code: number; output: string }) => ManagedState
}
