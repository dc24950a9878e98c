import { z } from 'zod'

const longest = 500
const host = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?'
const user = '[A-Za-z0-9_][A-Za-z0-9._-]*'
// no escaped control character, which whoever reads the URL would not see
const path =
  '(?:/(?:[A-Za-z0-9._~@+-]|%(?:[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]|[89A-Fa-f][0-9A-Fa-f]))+)+/?'
const form = new RegExp(`^(?:https://|ssh://(?:${user}@)?)${host}(?::[0-9]{1,5})?${path}$`)
const short = new RegExp(`^(${user})@(${host}):(?!/|[0-9]+(?:/|$))(.+)$`)

/**
 * Where a runner clones a resource from: by https or ssh alone, with no password or token in it, and nothing that Git or ssh
 * takes for an option or another transport. `git@host:path` becomes the same in full.
 */
export const CloneUrl = z
  .string()
  .overwrite((text) => text.replace(short, 'ssh://$1@$2/$3'))
  .max(longest)
  .refine(
    (text) => form.test(text) && URL.canParse(text),
    'use an address such as https://git.example.com/acme/web.git or git@git.example.com:acme/web.git, without a password, a token or a query in it',
  )
export type CloneUrl = z.infer<typeof CloneUrl>
