import { z } from 'zod'

export const text = z.string()
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'give a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `give at least ${min}`).max(max, `give at most ${max}`))
export const seconds = z
  .string()
  .regex(/^[0-9]{1,6}(\.[0-9]{1,3})?$/, 'give seconds')
  .transform(Number)
  .pipe(
    z.number().min(0.05, 'give at least 0.05 seconds').max(86_400, 'give at most 86400 seconds'),
  )
export const port = whole(0, 65_535)
export const callsAMinute = z
  .string()
  .regex(/^(off|[0-9]{1,9})$/, 'give a whole number of calls a minute, or off')
  .transform((given) => (given === 'off' ? 0 : Number(given)))
export const onOrOff = z.enum(['on', 'off'], 'give on or off').transform((given) => given === 'on')
export const list = text.transform((given) =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
/** Unbound ones would be everybody's: whoever makes a workspace could have its webhooks call the host. */
export const webhookHosts = list.pipe(
  z.array(
    z
      .string()
      .regex(
        /^(\*|[a-z0-9-]{1,40})@\S+$/,
        'say whose each host is: acme@10.0.0.5:8080 for the workspace acme, *@10.0.0.5:8080 for every workspace',
      ),
  ),
)
export const networks = list.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'give addresses or networks')),
)
export const servedHosts = list.pipe(
  z.array(
    z
      .string()
      .regex(
        /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i,
        'give hosts, such as api or svc.example:8443',
      )
      .toLowerCase(),
  ),
)
export const httpUrl = z.url({ protocol: /^https?$/, error: 'give an http or https address' })
// not by z.url: a server that is reached through a socket has no host
export const postgresUrl = text.regex(/^postgres(ql)?:\/\/\S+$/, 'give a postgres:// address')

const loopback = /^(localhost|127\.[0-9.]+|\[::1\])$/
/** As browsers spell it in `Origin`, and clients in what they compare. */
export const publicUrl = httpUrl
  .transform((given) => new URL(given))
  .refine(({ protocol, hostname }) => protocol === 'https:' || loopback.test(hostname), {
    message: 'use https; http is only for loopback addresses',
  })
  .refine(({ href, origin }) => href === `${origin}/`, {
    message: 'give scheme, host and port alone',
  })
  .transform(({ origin }) => origin)

export const composerUrl = httpUrl
  .refine((given) => !/[?#@]/.test(given), 'give an address without credentials and query')
  .transform((given) => given.replace(/\/+$/, ''))

/** Its path is the whole one: nothing is added to it. */
export const tracesUrl = httpUrl.refine(
  (given) => !/[?#@]/.test(given),
  'give an address without credentials and query',
)

const secretKey = /^[A-Za-z0-9_-]{1,40}:[A-Za-z0-9+/_-]{43,}={0,2}$/
export const secretKeys = text.refine(
  (given) => given.split(',').every((key) => secretKey.test(key)),
  {
    message: 'give kid:base64 pairs, comma-separated, each key of at least 32 bytes',
  },
)
