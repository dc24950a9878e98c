// A consumer of webhooks with Go alone:  WEBHOOK_SECRET=whsec_… PORT=3000 go run consumer.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	mostBytes        = 1 << 20
	toleranceSeconds = 300
	mostIDs          = 10_000
)

// The ids of what was handled. Keep them in your database where your process has siblings.
var (
	lock    sync.Mutex
	handled = map[string]bool{}
	order   []string
)

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// isSigned says whether the body was signed with the secret just now.
func isSigned(header string, body []byte, secret string) bool {
	var times, signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			times = append(times, value)
		case "v1":
			signatures = append(signatures, value)
		}
	}
	if len(times) != 1 {
		return false
	}
	seconds, err := strconv.ParseUint(times[0], 10, 40)
	if err != nil || math.Abs(float64(time.Now().Unix())-float64(seconds)) > toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	for _, one := range signatures {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

// handle is your work. It is called once for each delivery that this process has seen.
func handle(one event) {
	fmt.Println(one.Type, one.ID)
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the webhook: whsec_…")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, mostBytes))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isSigned(request.Header.Get("X-Svc-Signature"), body, secret) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var one event
		if json.Unmarshal(body, &one) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		lock.Lock()
		defer lock.Unlock()
		// by the id in the body: the header with the same is not signed
		if !handled[one.ID] {
			handle(one)
			handled[one.ID] = true
			if order = append(order, one.ID); len(order) > mostIDs {
				delete(handled, order[0])
				order = order[1:]
			}
		}
		response.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}
