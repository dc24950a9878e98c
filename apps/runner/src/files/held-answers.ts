import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PendingAnswer } from '@svc/contracts/agent-session'
import { readUntrusted } from '@svc/process/untrusted-file'
import { writeDurably } from './durable-file.ts'

const mostBytes = 1024 * 1024

const HeldAnswers = z.array(PendingAnswer)

/**
 * Answers to an agent's questions that came with a reply to its supervisor: they lie in the agent's TMPDIR until the next
 * reply that the agent itself gets, which carries them.
 */
export function heldAnswersPath(tmpDirectory: string): string {
  return join(tmpDirectory, 'answers.json')
}

/** Adds to what lies there. */
export function holdAnswers(path: string, answers: readonly PendingAnswer[]): void {
  const held = readHeldAnswers(path)
  const isNew = ({ questionId }: PendingAnswer) =>
    held.every((one) => one.questionId !== questionId)
  writeDurably(path, JSON.stringify([...held, ...answers.filter(isNew)]))
}

/** What lies there, which then is gone. */
export function takeHeldAnswers(path: string): PendingAnswer[] {
  const held = readHeldAnswers(path)
  rmSync(path, { force: true })
  return held
}

/** None where there is no such file, or what stands in it is no such thing: the agent can write there. */
function readHeldAnswers(path: string): PendingAnswer[] {
  try {
    return HeldAnswers.parse(JSON.parse(readUntrusted(path, mostBytes) ?? '[]'))
  } catch {
    return []
  }
}
