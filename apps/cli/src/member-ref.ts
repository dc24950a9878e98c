import type { Client } from '@svc/client/client'
import { isUuid } from '@svc/contracts/ids'
import type { Member } from '@svc/contracts/member'
import { everyPage } from './output/every-page.ts'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure } from './output/failure.ts'

/** Every page: whoever looks for somebody to remove must not miss them. */
export async function membersOf(client: Client): Promise<Member[]> {
  const members: Member[] = []
  for await (const page of everyPage((query) => client.call('listMembers', query))) {
    members.push(...page.members)
  }
  return members
}

/** The UUID of a member; one who has left is known by that alone. */
export async function idOfMember(client: Client, member: string): Promise<string> {
  if (isUuid(member)) return member
  const members = await membersOf(client)
  const found = members.find(({ email }) => email.toLowerCase() === member.toLowerCase())
  if (!found) {
    const message = `Nobody here has the address ${member}: see svc members list.`
    throw new CommandFailure('not_found', message, exitCode.notFound)
  }
  return found.id
}
