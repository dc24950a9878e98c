import type { ErrorCode } from '@svc/contracts/errors'
import type {
  MissionTrigger,
  ObjectiveTrigger,
  QuestionTrigger,
  RequestTrigger,
  SessionTrigger,
} from '@svc/domain/states/table'
import type { CallOptions } from '@svc/domain/testing/caller'
import type { Stage } from './stage.ts'
import type { State } from './state.ts'

/** One step of a sequence: plain data, so that it can be made smaller, printed and repeated. */
export interface Step {
  do: string
  /** Which of those that it can be done to. */
  at: number
  /** Which of the ways to do it. */
  how: number
  /** To whatever there is; else only where the model foresees that it is done, and it is of use. */
  wild: boolean
}

export interface Scene {
  stage: Stage
  /** As the step finds it. */
  state: State
}

/** What the model foresees: undefined is done; `maybe` is where it does not know, or one of several. */
export type Foreseen = ErrorCode | undefined | { maybe: readonly (ErrorCode | 'done')[] }

/** The rows of the lifecycle that may come to pass. */
export interface Moves {
  mission?: readonly MissionTrigger[]
  objective?: readonly ObjectiveTrigger[]
  request?: readonly RequestTrigger[]
  session?: readonly SessionTrigger[]
  question?: readonly QuestionTrigger[]
}

/** The objectives whose states, runs and questions a step may touch. */
export type Affected = readonly string[] | 'all'

export interface Outcome {
  before: State
  after: State
  answer: unknown
}

interface CommandOf<Target> {
  /** How often it is drawn. */
  weight: number
  targets: (scene: Scene) => readonly Target[]
  foresee: (scene: Scene, target: Target, how: number) => Foreseen
  /** It would change something; always, when left out. */
  helps?: (scene: Scene, target: Target) => boolean
  moves: Moves
  affects: (scene: Scene, target: Target) => Affected
  call: (scene: Scene, target: Target, how: number, options: CallOptions) => Promise<unknown>
  /** What must be so once it is done. */
  expect?: (outcome: Outcome, target: Target, how: number) => void
  /** It can be sent again under the same `Idempotency-Key`. */
  keyed?: true
  /** A refusal of use: the tables into which a call may write that is refused so. */
  traces?: { by: readonly ErrorCode[]; into: readonly string[] }
}

/** A command that has found what to act on. */
export interface Plan {
  foreseen: Foreseen
  moves: Moves
  affects: Affected
  keyed: boolean
  traces: readonly string[]
  call: (options: CallOptions) => Promise<unknown>
  expect: (outcome: Outcome) => void
}

export interface Command {
  weight: number
  moves: Moves
  /** Undefined where there is nothing that it could be done to. */
  plan: (scene: Scene, step: Step) => Plan | undefined
}

export function command<Target>(of: CommandOf<Target>): Command {
  return {
    weight: of.weight,
    moves: of.moves,
    plan(scene, { at, how, wild }) {
      const all = of.targets(scene)
      const isFitting = (foreseen: Foreseen) =>
        isPossible(foreseen) || of.traces?.by.some((code) => code === foreseen) === true
      const isFit = (one: Target) =>
        isFitting(of.foresee(scene, one, how)) && (of.helps?.(scene, one) ?? true)
      const among = wild ? all : all.filter(isFit)
      const target = among[at % among.length]
      if (target === undefined) return undefined
      return {
        foreseen: of.foresee(scene, target, how),
        moves: of.moves,
        affects: of.affects(scene, target),
        keyed: of.keyed ?? false,
        traces: of.traces?.into ?? [],
        call: (options) => of.call(scene, target, how, options),
        expect: (outcome) => of.expect?.(outcome, target, how),
      }
    },
  }
}

function isPossible(foreseen: Foreseen): boolean {
  return foreseen === undefined || (typeof foreseen === 'object' && foreseen.maybe.includes('done'))
}

/** What the service may not do, by the name of the invariant that it breaks. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly invariant: string

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`)
    this.invariant = invariant
  }
}

export function hold(condition: boolean, invariant: string, what: string): asserts condition {
  if (!condition) throw new Violation(invariant, what)
}
