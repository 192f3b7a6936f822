// Prints the view of a payload, and what stands for its original.
//
//	go run . PAYLOAD
package main

import (
	"fmt"
	"log"
	"os"

	"axpress"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: example PAYLOAD")
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
	page, err := compressor.Compress(payload, axpress.ViewOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.View.Text)
	fmt.Printf("%s: %d to %d bytes, %d uids\n", page.Handle, len(payload), len(page.View.Text), len(page.View.Uids))
}
