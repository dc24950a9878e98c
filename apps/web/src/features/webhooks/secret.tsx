import { SecretOnce } from '../../parts/secret/secret-once.tsx'
import { Text } from '../../ui/text.tsx'

interface SigningSecretProps {
  name: string
  secret: string
  onKept: () => void
}

/** Which receivers verify signatures with. */
export function SigningSecret({ name, secret, onKept }: SigningSecretProps) {
  return (
    <SecretOnce title="Its secret, shown this once" secret={secret} onKept={onKept}>
      <p>
        Whoever receives <Text>{name}</Text> verifies the signature of each delivery with it. Keep
        it where the receiver reads it.
      </p>
    </SecretOnce>
  )
}
