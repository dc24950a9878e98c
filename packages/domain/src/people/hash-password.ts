import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ServiceError } from '@svc/contracts/errors'

const derive = promisify(argon2)

interface Cost {
  /** KiB */
  memory: number
  passes: number
  parallelism: number
}

/** What a new hash is made with. Raised here, older ones are made anew as people sign in. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/** Each takes 19 MiB: at most so many at once, and so many more that wait. */
const mostAtOnce = 2
const mostWaiting = 20

/** In the PHC spelling: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Throws `unavailable` when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await inTurn(() => tagOf(password, salt, { ...cost, tagLength: tagBytes }))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

/** `stored` null: of nobody. It takes as long, so that it cannot be told whether there is such a person. */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<{ isRight: boolean; isOutdated: boolean }> {
  const { salt, tag, ...parameters } = parse(stored ?? nobodys)
  const given = await inTurn(() =>
    tagOf(password, salt, { ...parameters, tagLength: tag.byteLength }),
  )
  const isRight = timingSafeEqual(given, tag) && stored !== null
  return { isRight, isOutdated: !isOfPresentCost(parameters) }
}

const nobodys = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(Buffer.alloc(saltBytes))}$${encode(Buffer.alloc(tagBytes))}`

function tagOf(password: string, nonce: Buffer, parameters: Cost & { tagLength: number }) {
  // one spelling of what people see as one text, whatever keyboard it comes from
  return derive('argon2id', { message: password.normalize('NFC'), nonce, ...parameters })
}

function isOfPresentCost({ memory, passes, parallelism }: Cost): boolean {
  return memory === cost.memory && passes === cost.passes && parallelism === cost.parallelism
}

function parse(stored: string): Cost & { salt: Buffer; tag: Buffer } {
  const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
  const [, memory, passes, parallelism, salt = '', tag = ''] = pattern.exec(stored) ?? []
  if (memory === undefined) throw new Error('a stored password is not in the spelling of argon2id')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < mostAtOnce) running += 1
  else await nextTurn()
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // the slot goes to who waits, or is given back
    if (next) next()
    else running -= 1
  }
}

function nextTurn(): Promise<void> {
  if (waiting.length >= mostWaiting) {
    throw new ServiceError('unavailable', 'Too many people are signing in. Try again in a moment.')
  }
  return new Promise((resolve) => waiting.push(resolve))
}
