import { isDeepStrictEqual } from 'node:util'
import { isServiceError } from '@svc/contracts/errors'
import type { Person } from '@svc/domain/testing/people'
import { hold } from './command.ts'

/** Rows that are moved in memory and written later: what a call has answered of them, and how it is asked for again. */
interface Answered {
  mission?: Shown | undefined
  objective?: Shown | undefined
  currentObjective?: Shown | null | undefined
  executionRequest?: Shown | null | undefined
}

interface Shown {
  id: string
  failure?: object | null
  lastRelease?: object | null
}

/** I-32. Of a mission, an objective or a run, a call answers what is answered to whoever asks for it next. */
export async function checkAnswered(person: Person, answer: unknown): Promise<void> {
  // each answer has these under their names, or has none of them
  const { mission, objective, currentObjective, executionRequest } = (answer ?? {}) as Answered
  if (mission) expectSame('mission', mission, await unlessGone(person.mission(mission)))
  const worked = objective ?? currentObjective
  if (worked) expectSame('objective', worked, await unlessGone(person.objective(worked)))
  if (executionRequest) {
    expectSame('run', executionRequest, await unlessGone(person.request(executionRequest)))
  }
}

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (isServiceError(error) && error.code === 'not_found') return undefined
    throw error
  })
}

function expectSame(what: string, answered: Shown, asked: Shown | undefined): void {
  if (!asked) return
  const then = new Map(Object.entries(comparable(asked)))
  const other = Object.entries(comparable(answered)).filter(
    ([name, value]) => !isDeepStrictEqual(value, then.get(name)),
  )
  const described = other.map(
    ([name, value]) => `${name} ${JSON.stringify(value)}, then ${JSON.stringify(then.get(name))}`,
  )
  hold(other.length === 0, 'I-32', `the ${what} was answered with ${described.join('; ')}`)
}

/** Which step helps depends on who asks. */
function comparable({ failure, lastRelease, ...shown }: Shown): object {
  const plain = { ...shown, failure: withoutStep(failure), lastRelease: withoutStep(lastRelease) }
  return JSON.parse(JSON.stringify(plain)) as object // what is sent of it
}

function withoutStep(given: object | null | undefined): object | null | undefined {
  return given && { ...given, next: undefined }
}
