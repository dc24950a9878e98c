import { z } from 'zod'
import { HeldAgent, Runner } from './runner.ts'

const ofRunner = Runner.pick({ id: true, label: true, state: true }).shape

/** An agent that runners report, projects have settings for, or runs were lately made with. */
export const KnownAgent = z.strictObject({
  key: z.string(),
  /** Those of the newest runs first, then those that projects set. */
  models: z.array(z.string()),
  /** The same of reasoning efforts. */
  efforts: z.array(z.string()),
  /** Runners that offer it. */
  runners: z.array(z.strictObject(ofRunner)),
  /** Runners that have it and do not offer it now, since its provider takes nothing from them. */
  heldBy: z.array(
    z.strictObject({ ...ofRunner, ...HeldAgent.pick({ reason: true, until: true }).shape }),
  ),
})
export type KnownAgent = z.infer<typeof KnownAgent>

/** The programs that a runner looks for on its PATH and offers by itself; its built-in rows are the other side of it. */
export const soughtAgents: readonly string[] = [
  'claude',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'qwen',
]
