import type { Connection, NewSession } from './connection.ts'
import { type Message, listOf, objectOf, textOf } from './message.ts'

/** What is said to an agent in the one turn that a run is. */
export interface Speech {
  /** As sentences call it. */
  agent: string
  cwd: string
  otherFolders: readonly string[]
  /** Its own id of the conversation to go on with. */
  resumed: string | undefined
  /** Stands before the message with which it begins; in a conversation that goes on it was read. */
  briefing: string
  begins: string
  goesOn: string
  model: string | null
  effort: string | null
  /** What it may take until its first answer; some load for seconds. */
  initializeSeconds: number
}

export interface Ears {
  onSession: (sessionId: string) => void
  /** The history of a conversation comes now, or is over. */
  onReplay: (isReplayed: boolean) => void
  /** Resolves when none has come for a while. */
  replayed: () => Promise<void>
  /** What a reader of the log should know. */
  note: (sentence: string) => void
}

/** What went wrong between an agent and its supervisor, as a sentence. */
export class ConversationFailure extends Error {
  override readonly name = 'ConversationFailure'
}

/** From the first word to the end of the agent's turn. Answers what it answered to its prompt. */
export async function converse(
  connection: Connection,
  speech: Speech,
  ears: Ears,
): Promise<Message> {
  const offered = await initialize(connection, speech)
  const { session, sessionId, goesOn } = await openSession(connection, offered, speech, ears)
  ears.onSession(sessionId)
  await choose(connection, sessionId, session, { speech, ears })
  const texts = goesOn ? [speech.goesOn] : [speech.briefing, speech.begins]
  return objectOf(await connection.prompt(sessionId, texts))
}

async function initialize(
  connection: Connection,
  { agent, initializeSeconds }: Speech,
): Promise<Message> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const silent = `${agent} did not answer within ${initializeSeconds} seconds: as it is started here, it may not speak the Agent Client Protocol.`
  const giveUp = () => reject(new ConversationFailure(silent))
  const timer = setTimeout(giveUp, initializeSeconds * 1000)
  try {
    const answer = objectOf(await Promise.race([connection.initialize(), overdue]))
    const spoken = answer['protocolVersion']
    if (spoken === connection.version) return objectOf(answer['agentCapabilities'])
    throw new ConversationFailure(
      `${agent} speaks version ${String(spoken)} of the Agent Client Protocol, and svc version ${connection.version}: install another version of ${agent}.`,
    )
  } finally {
    clearTimeout(timer)
  }
}

interface Opened {
  session: Message
  sessionId: string
  goesOn: boolean
}

async function openSession(
  connection: Connection,
  offered: Message,
  speech: Speech,
  ears: Ears,
): Promise<Opened> {
  const ofSessions = objectOf(offered['sessionCapabilities'])
  const takesFolders = isOffered(ofSessions['additionalDirectories'])
  const { cwd, otherFolders, resumed, agent } = speech
  const wanted: NewSession = {
    cwd,
    ...(takesFolders && otherFolders.length > 0 && { additionalDirectories: [...otherFolders] }),
  }
  const how = isOffered(ofSessions['resume'])
    ? 'resume'
    : offered['loadSession'] === true
      ? 'load'
      : undefined
  if (resumed !== undefined && how !== undefined) {
    const session = await goOn(connection, how, { ...wanted, sessionId: resumed }, ears)
    if (session !== undefined) return { session, sessionId: resumed, goesOn: true }
  }
  if (resumed !== undefined && how === undefined) {
    ears.note(`${agent} does not go on with a conversation of before: it begins a new one`)
  }
  const session = objectOf(await connection.newSession(wanted))
  const sessionId = textOf(session['sessionId'])
  if (sessionId !== undefined) return { session, sessionId, goesOn: false }
  throw new ConversationFailure(`${agent} opened a conversation without an id.`)
}

/** Undefined where it is not there any more. */
async function goOn(
  connection: Connection,
  how: 'resume' | 'load',
  wanted: NewSession & { sessionId: string },
  { onReplay, replayed, note }: Ears,
): Promise<Message | undefined> {
  onReplay(true)
  try {
    const session = objectOf(await connection.goOn(how, wanted))
    // Gemini CLI sends the most of it when it has answered
    if (how === 'load') await replayed()
    return session
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    note(`The conversation of before cannot be gone on with, so a new one begins: ${why}`)
    return undefined
  } finally {
    onReplay(false)
  }
}

interface Choosing {
  speech: Speech
  ears: Ears
}

/** Model and effort, where the agent lets them be chosen. */
async function choose(
  connection: Connection,
  sessionId: string,
  session: Message,
  { speech, ears }: Choosing,
): Promise<void> {
  const { model, effort } = speech
  const options = listOf(session['configOptions']).map(objectOf)
  const wanted = [
    { what: 'model', category: 'model', value: model },
    { what: 'reasoning effort', category: 'thought_level', value: effort },
  ] as const
  for (const { what, category, value } of wanted) {
    if (value === null) continue
    const option = options.find((one) => one['category'] === category)
    const configId = textOf(option?.['id'])
    const isKnown = option !== undefined && valuesOf(option).includes(value)
    const isAsBefore = what === 'model' && isKnownModel(session, value)
    if (option?.['currentValue'] === value) continue
    if (isKnown && configId !== undefined) await connection.setOption(sessionId, configId, value)
    else if (isAsBefore) await connection.setModel(sessionId, value)
    else ears.note(`${speech.agent} does not offer the ${what} ${value}, and works with its own`)
  }
}

function valuesOf({ options }: Message): string[] {
  return listOf(options)
    .map(objectOf)
    .flatMap((one) => ('options' in one ? listOf(one['options']).map(objectOf) : [one]))
    .flatMap(({ value }) => textOf(value) ?? [])
}

function isKnownModel(session: Message, model: string): boolean {
  const models = listOf(objectOf(session['models'])['availableModels']).map(objectOf)
  return models.some(({ modelId }) => modelId === model)
}

/** A capability is an object, which may be empty. */
function isOffered(capability: unknown): boolean {
  return typeof capability === 'object' && capability !== null
}
