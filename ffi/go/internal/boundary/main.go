// Makes views of one payload, as many as each line of its input says, and answers with nanoseconds and the view's bytes.
//
//	boundary PAYLOAD
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"axpress"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: boundary PAYLOAD")
	}
	payload, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	compressor, err := axpress.New()
	if err != nil {
		log.Fatal(err)
	}
	defer compressor.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		calls, err := strconv.Atoi(lines.Text())
		if err != nil {
			log.Fatal(err)
		}
		var view axpress.View
		started := time.Now()
		for call := 0; call < calls; call++ {
			if view, err = compressor.View(payload, axpress.ViewOptions{}); err != nil {
				log.Fatal(err)
			}
		}
		fmt.Println(time.Since(started).Nanoseconds(), len(view.Text))
	}
}
