"""What the capture tools keep true, as far as it can be shown without a browser.

Run: python3 -m unittest discover -s tests/tools
"""
import json
import unittest

from capture_chrome import ChromeError, slice_result
from capture_fixtures import differences, numbered
from capture_page import walk


def payload(*nodes):
    return json.dumps({"nodes": nodes}).encode()


def node(number, name="", children=()):
    return {"nodeId": str(number), "ignored": False, "role": {"type": "role", "value": "button"},
            "name": {"type": "computedString", "value": name}, "childIds": [str(child) for child in children],
            "backendDOMNodeId": number}


class Slicing(unittest.TestCase):
    def slice(self, text):
        return slice_result(text, json.loads(text))

    def test_bytes_are_cut_out_as_they_came(self):
        result = b'{"nodes":[ {"name":"\\ud83d \\u00e9 \\/","x":1.50,"x":2e0} ]}'
        self.assertEqual(self.slice(b'{"id":3,"result":' + result + b',"sessionId":"A1"}'), result)
        self.assertEqual(self.slice(b'{"id":3,"result":' + result + b'}'), result)

    def test_text_that_looks_like_the_end_of_a_message_stays_in_the_result(self):
        result = b'{"a":"\\",\\"sessionId\\":\\"A1\\"}","result":{"b":1}}'
        self.assertEqual(self.slice(b'{"id":3,"result":' + result + b',"sessionId":"A1"}'), result)

    def test_a_message_of_another_shape_is_refused(self):
        for text in (b'{"id":3,"result":{"nodes":[]} }', b'{"id":3,"result":{"nodes":[]},"more":{}}',
                     b'{"id":3,"result":{"nodes":[]},"more":{},"sessionId":"A1"}'):
            with self.subTest(text), self.assertRaises(ChromeError):
                self.slice(text)


class Comparing(unittest.TestCase):
    def test_other_ids_alone_are_no_difference(self):
        before = numbered(payload(node(5, "a", [9]), node(9, "b")))
        after = numbered(payload(node(70, "a", [3]), node(3, "b")))
        self.assertEqual(differences(before, after), [])

    def test_a_changed_name_is_told_with_its_node(self):
        before, after = (numbered(payload(node(1, "root", [2]), node(2, name))) for name in ("old", "new"))
        self.assertIn("button 'old' -> button 'new'", differences(before, after)[0])

    def test_children_in_another_order_are_a_difference(self):
        nodes = node(2, "x"), node(3, "y")
        before = numbered(payload(node(1, "", [2, 3]), *nodes))
        after = numbered(payload(node(1, "", [3, 2]), *nodes))
        self.assertNotEqual(differences(before, after), [])

    def test_a_node_more_is_told(self):
        notes = differences(numbered(payload(node(1))), numbered(payload(node(1), node(2))))
        self.assertEqual(notes, ["1 nodes before, 2 now"])


class Walking(unittest.TestCase):
    def test_reading_order_follows_children_and_ends_in_a_cycle(self):
        nodes = [node(1, "", [3, 2]), node(2, "", [1]), node(3, "", [4]), node(4)]
        self.assertEqual(list(walk(nodes)), [1, 3, 4, 2])


if __name__ == "__main__":
    unittest.main()
